import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deliveryQueueOf } from '../../../../../shared/messages/channels/channel-type.ts'
import { channelTypeOf, channelTypes } from '../../../../../shared/messages/channels/channel-types.ts'

const folder = join(import.meta.dirname, '../../../../../shared/messages/channels/types')
const senders = join(import.meta.dirname, '../../../../../shared/messages/senders/types')
const filesOf = (path: string): string[] => readdirSync(path).toSorted()

describe('the types of channels', () => {
  it('are the files of the folder', () => {
    expect(filesOf(folder)).toEqual(channelTypes.map((type) => `${type}.ts`).toSorted())
    expect(filesOf(senders)).toEqual(filesOf(folder))
  })

  it.each(channelTypes)('name every member of the configuration of %s in the reference', (type) => {
    const { config, members } = channelTypeOf(type)
    const named = Object.keys(config.shape).filter((member) => new RegExp(`\\b${member}\\b`).test(members))
    expect([...named, 'retry_schedule']).toEqual(Object.keys(config.shape))
  })

  it.each(channelTypes)('seal members that the configuration of %s has', (type) => {
    const { config, secrets } = channelTypeOf(type)
    expect(secrets.filter((path) => !Object.hasOwn(config.shape, path.split('.')[0] ?? ''))).toEqual([])
  })

  it.each(channelTypes)('have a place for messages of %s exactly when it has no recipients', (type) => {
    const { content, placeOf } = channelTypeOf(type)
    expect(placeOf !== undefined).toBe(content === 'json')
  })

  it('have a queue each', () => {
    expect(new Set(channelTypes.map((type) => deliveryQueueOf(type))).size).toBe(channelTypes.length)
  })
})
