import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type EraseDependencies, eraseIntent } from '../../../messages/deliveries/erase/erase-intent.ts'
import type { ErasedPerson } from '../../../messages/deliveries/erase/is-person.ts'

const atOnce = 10

/** Takes a person out of intents and their deliveries. Answers the intents that have to be looked at again. */
export async function eraseIntents(
  services: EraseDependencies,
  tenant: TenantRef,
  person: ErasedPerson,
  uuids: readonly string[],
): Promise<string[]> {
  const open: string[] = []
  for (let start = 0; start < uuids.length; start += atOnce)
    await Promise.all(
      uuids.slice(start, start + atOnce).map(async (uuid) => {
        if (!(await eraseIntent(services, tenant, person, uuid))) open.push(uuid)
      }),
    )
  return open
}
