import { Counter, type Registry } from 'prom-client';

/** What admission counts for operators. */
export interface AdmissionMetrics {
  /** A credential was known, or identity had to be asked. */
  verdict(source: 'cache' | 'identity'): void;
  /** A limit or quota refused a request. */
  limited(policy: string): void;
}

export function createAdmissionMetrics(registry: Registry): AdmissionMetrics {
  const verdicts = new Counter({
    name: 'tallycard_credential_verdicts_total',
    help: 'Credentials judged, by where the verdict came from',
    labelNames: ['source'],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'tallycard_limit_refusals_total',
    help: 'Requests that a limit or quota refused, by its policy',
    labelNames: ['policy'],
    registers: [registry],
  });
  return {
    verdict: (source) => verdicts.inc({ source }),
    limited: (policy) => refusals.inc({ policy }),
  };
}
