import { BlockList, isIP } from 'node:net'
import type { HttpEvent } from './http-event.ts'

/** The address that a request came from. */
export type CallerAddress = (event: HttpEvent) => string

/**
 * Reads the caller's address behind proxies. `trusted`: their addresses and networks (`130.176.0.0/16,2600:9000::/28`),
 * separated by commas. Each proxy adds whom it heard to `x-forwarded-for`, so the last address there that is no trusted
 * proxy is the caller's; what stands before it may be invented. Without trusted proxies it is who connected. Throws an
 * error that names an entry that is no network.
 */
export function callerAddress(trusted: string): CallerAddress {
  const proxies = networksOf(trusted)
  if (!proxies) return ({ requestContext }) => requestContext.http.sourceIp
  const isProxy = (address: string): boolean => {
    const version = isIP(address)
    return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
  return ({ requestContext, headers }) => {
    let address = requestContext.http.sourceIp
    const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((one) => one.trim())
    // The gateway adds the proxy that it heard.
    if (forwarded.at(-1) === address) forwarded.pop()
    while (isProxy(address)) {
      const before = forwarded.pop()
      if (before === undefined || isIP(before) === 0) return address
      address = before
    }
    return address
  }
}

function networksOf(text: string): BlockList | undefined {
  const entries = text.split(',').flatMap((entry) => entry.trim() || [])
  if (entries.length === 0) return undefined
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits, ...more] = entry.split('/')
    const version = isIP(address)
    const [type, most] = version === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
    const prefix = bits === undefined ? most : Number(bits)
    if (version === 0 || more.length > 0 || bits === '' || !Number.isInteger(prefix) || prefix < 0 || prefix > most)
      throw new Error(
        `TRUSTED_PROXIES has "${entry}", which is neither an address nor a network such as 203.0.113.0/24.`,
      )
    list.addSubnet(address, prefix, type)
  }
  return list
}
