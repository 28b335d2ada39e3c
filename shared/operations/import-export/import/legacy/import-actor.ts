import type { Actor } from '../../../../records/records/actor.ts'
import { legacySource } from '../../../../records/records/write/save-record.ts'
import type { ImportPlan } from '../keyed/import-plan.ts'

/** The writer of an import's rows. Legacy data tells nobody, and starts and continues no process. */
export const importActor = (
  actor: Actor,
  { isLegacy }: Pick<ImportPlan, 'isLegacy'>,
  { skipsNotifications, batchId }: { readonly skipsNotifications: boolean; readonly batchId?: number | undefined },
): Actor => ({
  ...actor,
  source: isLegacy ? legacySource : 'import',
  ...((skipsNotifications || isLegacy) && { skipsNotifications: true }),
  ...(isLegacy && { skipsProcesses: true }),
  ...(batchId !== undefined && { batchId }),
})
