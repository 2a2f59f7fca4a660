import type { z } from 'zod';
import type { User } from '#proto/identity/v1/identity.ts';
import type { UserRead } from '../../schemas/identity.ts';
import { iso, textOrNull } from '../render.ts';

export function renderUser(user: User): z.input<typeof UserRead> {
  return {
    id: user.id,
    email: user.email,
    name: textOrNull(user.name),
    emailVerified: iso(user.emailVerified),
    active: user.active,
    admin: user.admin,
    image: textOrNull(user.image),
    location: textOrNull(user.location),
    website: textOrNull(user.website),
  };
}
