import { normalAddress } from '../../../platform/mail/normal-address.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'

/** Whose mails an intent answers, as it keeps them: only whether an address is one of them matters. */
export const answersTo = (addresses: readonly string[]): readonly string[] =>
  addresses.flatMap((address) => {
    const known = normalAddress(address)
    return known === null ? [] : [keyHash(known)]
  })
