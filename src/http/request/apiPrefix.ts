/** Path prefix of the product's own API. */
export const API = '/api/v1';
