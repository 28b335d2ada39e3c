/** What the address of the incoming messages says. */
export interface IncomingSearch {
  /** The message that is open. */
  readonly message?: number
  /** Those that were dealt with are listed too. */
  readonly all?: true
}

/** Reads an address; what is not understood is left out. */
export const readIncomingSearch = ({ message, all }: Record<string, unknown>): IncomingSearch => ({
  ...(typeof message === 'number' && message > 0 && { message }),
  ...(all === true && { all }),
})
