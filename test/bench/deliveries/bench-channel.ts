import type { RunningService } from '../world/running-service.ts'

/** Makes a channel to a receiver, with short waits between attempts. */
export const benchChannel = async (service: RunningService, name: string, url: string): Promise<number> =>
  (
    await service.api('POST', '/api/sys/channels', {
      name,
      type: 'webhook',
      config: { url, retry_schedule: [0, 2, 5, 10, 20, 40, 60] },
    })
  ).data.id

/** Makes a table whose records send what a script sends. */
export const sendingTable = (service: RunningService, name: string, script: string): Promise<unknown> =>
  service.api('POST', '/api/sys/entities', {
    name,
    table_fields: [{ name: 'n', type: 'integer' }],
    automations: [{ kind: 'after_create', script, position: 1 }],
  })
