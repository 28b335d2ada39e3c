import { writeHistory } from '../../shared/history/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { environment } from '../../shared/kernel/env.ts'
import { filesBucket } from '../../shared/objects/bucket.ts'
import { onStream } from '../../shared/queue/change-feed/on-stream.ts'
import { createStore } from '../../shared/store/table.ts'

const store = createStore(environment().TABLE_NAME, undefined, clock)
const { putObject } = filesBucket()

/** Reads the table's stream: one history row per record version. */
export const handler = onStream((changes) => writeHistory({ store, putObject }, changes))
