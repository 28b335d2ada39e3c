import type { EmailAddress } from 'mailparser'
import { maxMailAddresses } from '../../../kernel/limits/incoming.ts'
import { normalAddress } from '../../../platform/mail/normal-address.ts'
import { cleanLine } from './clean-text.ts'

/** Whom a mail names. */
export interface MailAddress {
  readonly name: string | null
  /** In lower case; null when it is no address. */
  readonly email: string | null
}

const maxNameCharacters = 200

/** The addresses of a header, without those that say nothing; groups become their members. At most 1,000. */
export function cleanAddresses(found: readonly EmailAddress[]): MailAddress[] {
  const addresses: MailAddress[] = []
  // Not recursive: groups may be nested without end.
  const open = [...found].reverse()
  while (open.length > 0 && addresses.length < maxMailAddresses) {
    const { name, address, group } = open.pop() as EmailAddress
    if (group) open.push(...group.slice(0, maxMailAddresses).reverse())
    else {
      const email = normalAddress(address ?? '')
      const cleanName = cleanLine(name ?? '', maxNameCharacters)
      if (email !== null || cleanName !== '') addresses.push({ name: cleanName === '' ? null : cleanName, email })
    }
  }
  return addresses
}
