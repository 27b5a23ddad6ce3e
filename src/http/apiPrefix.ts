/** Where the product's own API begins. */
export const API = '/api/v1';
