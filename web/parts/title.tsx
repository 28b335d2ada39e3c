/** The title of the document while a screen is open. */
export const Title = ({ children }: { readonly children: string }) => <title>{children}</title>
