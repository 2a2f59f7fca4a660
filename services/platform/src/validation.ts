import { unprocessable, type ValidationItem } from './errors.ts';

/**
 * Checks the rules of a request's body and collects every fault, in the words of pydantic 2.
 * The edge has checked shapes already; a service checks what its own records rest on.
 */
export class BodyCheck {
  readonly #faults: ValidationItem[] = [];

  /** A text of `min` to `max` characters (code points, as at the edge); absent is fine. */
  text(field: string, value: string | undefined, { min, max }: { min: number; max: number }): this {
    if (value === undefined) return this;
    const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`;
    if (isShorter(value, min)) {
      const msg = `String should have at least ${characters(min)}`;
      this.#add(field, 'string_too_short', msg, value, { min_length: min });
    } else if (!isShorter(value, max + 1)) {
      const msg = `String should have at most ${characters(max)}`;
      this.#add(field, 'string_too_long', msg, undefined, { max_length: max });
    }
    return this;
  }

  /** A text that matches; absent is fine. */
  pattern(field: string, value: string | undefined, pattern: RegExp): this {
    if (value === undefined || pattern.test(value)) return this;
    const msg = `String should match pattern '${pattern.source}'`;
    return this.#add(field, 'string_pattern_mismatch', msg, value, { pattern: pattern.source });
  }

  /** A whole number within `min..max`; absent is fine. */
  int(field: string, value: number | undefined, { min, max }: { min: number; max: number }): this {
    if (value === undefined) return this;
    if (!Number.isSafeInteger(value)) {
      return this.#add(field, 'int_type', 'Input should be a valid integer', value);
    }
    if (value < min) {
      const msg = `Input should be greater than or equal to ${min}`;
      return this.#add(field, 'greater_than_equal', msg, value, { ge: min });
    }
    if (value > max) {
      return this.#add(field, 'less_than_equal', `Input should be less than or equal to ${max}`, value, { le: max });
    }
    return this;
  }

  /** One of a few words; absent is fine. */
  oneOf(field: string, value: string | undefined, words: readonly string[]): this {
    if (value === undefined || words.includes(value)) return this;
    const quoted = words.map((word) => `'${word}'`);
    const expected = quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` : quoted.join();
    return this.#add(field, 'literal_error', `Input should be ${expected}`, value, { expected });
  }

  /** Any other rule: `ok`, or a fault with this sentence. The value is not echoed, since it may be a secret. */
  rule(field: string, ok: boolean, sentence: string): this {
    return ok ? this : this.#add(field, 'value_error', `Value error, ${sentence}`, undefined, { error: sentence });
  }

  /** @throws AppError 422 with every fault found. */
  done(): void {
    if (this.#faults.length > 0) throw unprocessable(this.#faults);
  }

  #add(field: string, type: string, msg: string, input: unknown, ctx?: ValidationItem['ctx']): this {
    this.#faults.push({ loc: ['body', ...field.split('.')], msg, type, input, ctx });
    return this;
  }
}

/** Code units are an upper bound of code points; counting is for where that does not decide. */
function isShorter(text: string, characters: number): boolean {
  return text.length < characters || (text.length < characters * 2 && [...text].length < characters);
}
