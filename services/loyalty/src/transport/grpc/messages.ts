import type { Program as ProgramMessage } from '#proto/loyalty/v1/loyalty.ts';
import type { Program } from '../../domain/program.ts';

export function toProgramMessage(program: Program): ProgramMessage {
  return { ...program, giftCard: { ...program.giftCard } };
}
