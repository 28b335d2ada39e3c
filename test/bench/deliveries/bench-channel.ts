import type { RunningService } from '../running-service.ts'

/** Makes a channel to a receiver, with short waits between attempts. */
export const benchChannel = async (service: RunningService, name: string, url: string): Promise<number> =>
  (
    await service.api('POST', '/api/sys/channels', {
      name,
      type: 'webhook',
      config: { url, retry_schedule: [0, 2, 5, 10, 20, 40, 60] },
    })
  ).data.id

/** Makes a hook the only one of the bench's table. */
export const setHook = (service: RunningService, script: string): Promise<unknown> =>
  service.api('PUT', '/api/sys/entities/name/noises', {
    name: 'noises',
    automations: [{ kind: 'after_create', script, position: 1 }],
  })
