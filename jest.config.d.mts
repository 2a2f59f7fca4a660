/** What test/run.ts reads of it. */
declare const config: {
  globalSetup: string;
  globalTeardown: string;
  testPathIgnorePatterns: string[];
};
export default config;
