import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback, isPublicAddress } from './ip-address.ts'

/** A tenant named a host that is not on the public internet (server-side request forgery). */
export class ForbiddenHost extends Error {}

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>

const resolveAll: Resolve = (host) => lookup(host, { all: true })

interface AddressOptions {
  /** For the local cloud. */
  readonly loopbackAllowed: boolean
  readonly resolve?: Resolve
}

/**
 * The addresses of a host that a tenant named. Connect to one of these and not to the name, which may resolve to others
 * the next time. Throws ForbiddenHost when the host is, or one of its addresses is, not public; and the resolver's error
 * when the name is unknown. What a name resolved to is not in the message, which tenants read: it would map the network.
 */
export async function publicAddressesOf(
  host: string,
  { loopbackAllowed, resolve = resolveAll }: AddressOptions,
): Promise<readonly [string, ...string[]]> {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  // Node does not resolve a literal address, so it is checked here.
  const isLiteral = isIP(name) !== 0
  const addresses = isLiteral ? [name] : (await resolve(name)).map(({ address }) => address)
  const isAllowed = (address: string): boolean => isPublicAddress(address) || (loopbackAllowed && isLoopback(address))
  if (!addresses.every(isAllowed))
    throw new ForbiddenHost(
      isLiteral ? `The address ${name} is not public.` : `The host ${name} is not on the public internet.`,
    )
  const [first, ...others] = addresses
  if (first === undefined) throw new Error(`${name} has no address`)
  return [first, ...others]
}

/** The first of `publicAddressesOf`. */
export const publicAddressOf = async (host: string, options: AddressOptions): Promise<string> =>
  (await publicAddressesOf(host, options))[0]
