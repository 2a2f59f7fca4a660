/** Bounds of what people call things, in characters. */
export const nameCharacters = { min: 1, max: 255 };
