import { domainToASCII } from 'node:url'
import type { EmailAddress } from 'mailparser'
import { maxMailAddresses } from '../../kernel/limits/incoming.ts'
import { cleanLine } from './clean-text.ts'

/** Whom a mail names. */
export interface MailAddress {
  readonly name: string | null
  /** In lower case; null when it is no address. */
  readonly email: string | null
}

const maxNameCharacters = 200
const maxAddressCharacters = 320

/** The addresses of a header, without those that say nothing; groups become their members. At most 1,000. */
export function cleanAddresses(found: readonly EmailAddress[]): MailAddress[] {
  const addresses: MailAddress[] = []
  // Not recursive: groups may be nested without end.
  const open = [...found].reverse()
  while (open.length > 0 && addresses.length < maxMailAddresses) {
    const { name, address, group } = open.pop() as EmailAddress
    if (group) open.push(...group.slice(0, maxMailAddresses).reverse())
    else {
      const email = cleanAddress(address ?? '')
      const cleanName = cleanLine(name ?? '', maxNameCharacters)
      if (email !== null || cleanName !== '') addresses.push({ name: cleanName === '' ? null : cleanName, email })
    }
  }
  return addresses
}

/**
 * An address in lower case with the ASCII form of its domain, which mail is sent to; null when it is none. Whether mail
 * reaches it is another matter.
 */
function cleanAddress(address: string): string | null {
  const text = address.trim().toLowerCase()
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > maxAddressCharacters || /[\s\p{Cc}\p{Cf}<>,;"]/u.test(text)) return null
  const domain = text.slice(at + 1)
  const ascii = /^[ -~]+$/.test(domain) ? domain : domainToASCII(domain)
  return ascii === '' || text.slice(0, at).includes('@') ? null : `${text.slice(0, at)}@${ascii}`
}
