/** Why an attempt failed, in words that do not change with the libraries below. */
export const FAILURE_KINDS = [
  'not_2xx',
  'timeout',
  'name_not_found',
  'connection_refused',
  'connection_lost',
  'unreachable',
  'tls',
  'bad_answer',
  'address_refused',
  'not_sent',
  'other',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

const BY_CODE: [RegExp, FailureKind][] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|EBADRESP|EBADNAME)/, 'name_not_found'],
  [/TIMEOUT|^ETIMEDOUT$/, 'timeout'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, 'connection_lost'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'unreachable'],
  [/^(ERR_TLS|ERR_SSL|CERT_|EPROTO$|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/, 'tls'],
  [/^(ERR_ASSERTION$|HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/, 'bad_answer'],
];

export function failureKind(error: Error & { code?: string }): FailureKind {
  const code = error.code ?? (error.name === 'HTTPParserError' ? 'HPE_' : '');
  return BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}
