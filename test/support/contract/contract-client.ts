import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface ContractAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed when it is JSON. */
  readonly body: unknown;
}

export interface ContractRequest {
  readonly method: string;
  readonly path: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; text as it is. */
  readonly body?: unknown;
}

let requestsSent = 0;

/** Another address of this machine for each request, so that limits by address are none of the contract's. */
function nextAddress(): string {
  requestsSent += 1;
  return `127.${1 + (requestsSent >> 16)}.${(requestsSent >> 8) & 255}.${requestsSent & 255}`;
}

/** Sends one request as it is, whatever is wrong with it. */
export function sendContract(baseUrl: string, { method, path, token, headers, body }: ContractRequest) {
  const { hostname, port } = new URL(baseUrl);
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const local = /^127\./.test(hostname) ? { localAddress: nextAddress() } : {};
  return new Promise<ContractAnswer>((resolve, reject) => {
    const request = httpRequest({
      ...{ host: hostname, port, method, path, agent: false, ...local },
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
        ...headers,
      },
    });
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = /json/.test(response.headers['content-type'] ?? '');
        const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : text;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed });
      });
    });
    request.end(payload);
  });
}
