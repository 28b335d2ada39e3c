import { clock } from '../../shared/clock.ts'
import { environment } from '../../shared/env.ts'
import { createFiles } from '../../shared/files/service.ts'
import { log } from '../../shared/log.ts'
import { createStore } from '../../shared/store/table.ts'

const files = createFiles({ store: createStore(environment().TABLE_NAME), clock })
const perShard = 200

/** Every few minutes: removes files that nobody claims, and cleans up behind writes that were cut off. */
export async function handler(): Promise<{ released: number; removed: number }> {
  const swept = await files.sweep(perShard)
  if (swept.released + swept.removed > 0) log.info('swept files', swept)
  return swept
}
