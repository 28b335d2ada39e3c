import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { tenantWorkId } from '../../../platform/store/keys/processes.ts'
import type { Write } from '../../../platform/store/store.ts'
import { commandItem, type QueuedMessage } from '../rows/command-rows.ts'

/**
 * The write that sends a message of a rule for incoming messages, which goes into the transaction of what the rule does:
 * the runner delivers it, once for each `id`.
 */
export const tellProcessByRule =
  (clock: Pick<Clock, 'now' | 'uuid'>) =>
  (tenant: TenantRef, { id, name, key, variables }: QueuedMessage, by: PrincipalRef): Write => ({
    put: commandItem(
      tenant,
      tenantWorkId,
      { kind: 'send', message: { id, name, ...(key !== undefined && { key }), variables }, hops: 0 },
      by,
      { nowMs: clock.now(), uuid: clock.uuid(), wakesRunner: true },
    ),
  })
