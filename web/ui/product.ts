/** The only definition of the product's name on screen. */
export const PRODUCT_NAME = 'SEO Workbench';
