import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** A tenant named a host that is not on the public internet (server-side request forgery). */
export class ForbiddenHost extends Error {}

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>

const resolveAll: Resolve = (host) => lookup(host, { all: true })

/** Special-purpose networks (IANA registries, RFC 6890): private, link-local, shared, documentation, multicast. */
const notPublic = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/9',
  'ff00::/8',
])
const loopback = blockList(['127.0.0.0/8', '::1/128'])

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
  const refused = addresses.find((address) => !(isPublic(address) || (loopbackAllowed && contains(loopback, address))))
  if (refused !== undefined) throw new ForbiddenHost('the host is not on the public internet')
  const [first] = addresses
  if (first === undefined) throw new Error('the host has no address')
  return first
}

/** An address that cannot be parsed is not public. */
const isPublic = (address: string): boolean => isIP(address) !== 0 && !contains(notPublic, address)

/** A `BlockList` also finds IPv4 networks in IPv6 addresses that map them. */
const contains = (networks: BlockList, address: string): boolean =>
  networks.check(address.split('%', 1)[0] as string, isIP(address) === 6 ? 'ipv6' : 'ipv4')

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address, prefix] = network.split('/') as [string, string]
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
