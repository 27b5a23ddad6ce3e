/** Maps errors of Node and undici to failures with a readable message. Internal addresses never appear in the text. */
import type { FetchFailure } from '../../model/fetching.ts';
import { AddressBlocked } from './guardedConnector.ts';
import { NameNotResolved } from './resolveHost.ts';

export type Failure = { readonly failure: FetchFailure; readonly message: string };

const CERTIFICATE_TEXTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The certificate of the site has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the site is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the site was issued for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the site is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the site is signed by an unknown authority.',
  UNABLE_TO_GET_ISSUER_CERT: 'The certificate chain of the site is incomplete.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate chain of the site is incomplete.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate chain of the site is incomplete.',
  CERT_REVOKED: 'The certificate of the site was revoked.',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'The site speaks only outdated versions of TLS.',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'The site speaks only outdated versions of TLS.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The server does not speak TLS on this port.',
};

const BY_CODE: Readonly<Record<string, Failure>> = {
  ENOTFOUND: { failure: 'dns', message: 'The host name was not found.' },
  EAI_AGAIN: { failure: 'timeout', message: 'The host name could not be looked up.' },
  ECONNREFUSED: { failure: 'refused', message: 'The server refused the connection.' },
  EHOSTUNREACH: { failure: 'refused', message: 'The server cannot be reached.' },
  ENETUNREACH: { failure: 'refused', message: 'The server cannot be reached.' },
  EADDRNOTAVAIL: { failure: 'refused', message: 'The server cannot be reached.' },
  ECONNRESET: { failure: 'reset', message: 'The server broke the connection off.' },
  EPIPE: { failure: 'reset', message: 'The server broke the connection off.' },
  // The server closed an HTTP/2 stream or the whole connection.
  UND_ERR_INFO: { failure: 'reset', message: 'The server broke the connection off.' },
  ERR_HTTP2_STREAM_ERROR: { failure: 'reset', message: 'The server broke the connection off.' },
  ERR_HTTP2_STREAM_CANCEL: { failure: 'reset', message: 'The server broke the connection off.' },
  ERR_HTTP2_GOAWAY_SESSION: { failure: 'reset', message: 'The server broke the connection off.' },
  UND_ERR_SOCKET: { failure: 'reset', message: 'The server broke the connection off.' },
  ETIMEDOUT: { failure: 'timeout', message: 'The server did not accept the connection in time.' },
  UND_ERR_CONNECT_TIMEOUT: { failure: 'timeout', message: 'The server did not accept the connection in time.' },
  UND_ERR_HEADERS_OVERFLOW: { failure: 'bad_response', message: 'The headers of the answer are too large.' },
  HPE_HEADER_OVERFLOW: { failure: 'bad_response', message: 'The headers of the answer are too large.' },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { failure: 'reset', message: 'The answer ended before its announced length.' },
};

const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO$|INVALID_CA|HOSTNAME_MISMATCH)/;

export function failureOf(error: unknown): Failure {
  if (error instanceof AddressBlocked) return { failure: 'blocked', message: error.message };
  // Name servers that cannot answer say nothing about whether the host exists.
  if (error instanceof NameNotResolved)
    return { failure: error.reason === 'not_found' ? 'dns' : 'timeout', message: error.message };
  if (error instanceof Error && error.message === 'bad upgrade')
    return { failure: 'bad_response', message: 'The server switched to another protocol.' };
  const code = codeOf(error);
  const known = BY_CODE[code];
  if (known) return known;
  if (TLS_CODE.test(code))
    return {
      failure: 'tls',
      message: CERTIFICATE_TEXTS[code] ?? 'No secure connection could be made with the server.',
    };
  return { failure: 'bad_response', message: 'The answer of the server is not valid HTTP.' };
}

/** If several addresses failed, the error contains a list of errors. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code === 'string' && code !== '') return code;
  return error.cause === undefined ? '' : codeOf(error.cause);
}
