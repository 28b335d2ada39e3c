/** Opens an address anew: nothing that the screens of another session kept is left. */
export const leaveTo = (path: string): void => window.location.assign(path)
