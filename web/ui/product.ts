/** The one place that names the product on the screen. */
export const PRODUCT_NAME = 'SEO Workbench';
