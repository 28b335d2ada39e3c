import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback, isPublicAddress } from './ip-address.ts'

/** A tenant named a host that is not on the public internet (server-side request forgery). */
export class ForbiddenHost extends Error {}

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>

const resolveAll: Resolve = (host) => lookup(host, { all: true })

/**
 * The address to connect to for a host that a tenant named. Connect to this address and not to the name, which may
 * resolve to another one the next time. `loopbackAllowed` is for the local cloud. Throws ForbiddenHost when the host is,
 * or one of its addresses is, not public; and the resolver's error when the name is unknown.
 */
export async function publicAddressOf(
  host: string,
  { loopbackAllowed, resolve = resolveAll }: { readonly loopbackAllowed: boolean; readonly resolve?: Resolve },
): Promise<string> {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  // Node does not resolve a literal address, so it is checked here.
  const addresses = isIP(name) ? [name] : (await resolve(name)).map(({ address }) => address)
  const refused = addresses.find((address) => !(isPublicAddress(address) || (loopbackAllowed && isLoopback(address))))
  if (refused !== undefined) throw new ForbiddenHost('the host is not on the public internet')
  const [first] = addresses
  if (first === undefined) throw new Error('the host has no address')
  return first
}
