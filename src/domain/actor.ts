/** Who asks, as access rules see it. */
export type Actor = { readonly userId: string; readonly isAdmin: boolean };
