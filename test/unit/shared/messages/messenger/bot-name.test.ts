import { expect, it } from 'vitest'
import type { OpenedChannel } from '../../../../../shared/messages/channels/channel.ts'
import type { BotAnswer } from '../../../../../shared/messages/messenger/bot-api.ts'
import { botNames } from '../../../../../shared/messages/messenger/bot-name.ts'
import { objectRow } from '../../../../../shared/platform/store/rows/object-row.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { testChannel } from '../../../../make/services/worlds/delivery-world.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }

function bot(answer: () => Partial<BotAnswer>) {
  const clock = frozenClock()
  let [asked, bot_token] = [0, '1:a']
  const name = botNames({
    config: {
      list: async (_tenant, kind, read) =>
        kind === 'CHANNEL' ? [read(objectRow({ ...testChannel, type: 'messenger', sealed: { bot_token: 'x' } }))] : [],
    },
    clock,
    openChannel: async <Type extends 'messenger'>() =>
      ({ id: 3, name: 'desk', config: { bot_token }, signingSecrets: [] }) as unknown as OpenedChannel<Type>,
    callBot: async () => {
      asked++
      return { status: 200, isOk: true, description: '', ...answer() }
    },
  } as Parameters<typeof botNames>[0])
  return { name, clock, asked: () => asked, setToken: (token: string) => void (bot_token = token) }
}

it('the name of a bot is asked for once an hour, and again with another token', async () => {
  const { name, clock, asked, setToken } = bot(() => ({ result: { username: 'desk_bot' } }))
  expect([await name(tenant), await name(tenant), asked()]).toEqual(['desk_bot', 'desk_bot', 1])
  clock.advance(60 * 60_000)
  await name(tenant)
  setToken('2:b')
  await name(tenant)
  expect(asked()).toBe(3)
})

it.each([
  ['refuses', () => ({ status: 401, isOk: false })],
  ['answers something else', () => ({ result: { username: 'x?start=evil' } })],
  [
    'is not reached',
    () => {
      throw new Error('ECONNREFUSED')
    },
  ],
])('a bot whose server %s has no name, and is asked again', async (_, answer) => {
  const { name, asked } = bot(answer)
  expect([await name(tenant), await name(tenant), asked()]).toEqual([undefined, undefined, 2])
})

it.each([
  ['the default, while nothing is received', { incoming: [] }, 'bot_1'],
  ['the default, when it receives too', { incoming: ['2:b', '1:other'] }, 'bot_1'],
  ['the first that receives, when the default does not', { incoming: ['2:b', '3:c'] }, 'bot_2'],
  ['one that receives, without a default', { incoming: ['3:c'], byDefault: false }, 'bot_3'],
])(
  'the bot of a link is %s',
  async (_what, { incoming, byDefault = true }: { incoming: string[]; byDefault?: boolean }, name) => {
    const bots = { ...testChannel, type: 'messenger' } as const
    const channels = [
      { ...bots, isDefault: byDefault, sealed: { bot_token: '1:a' } },
      ...incoming.map((bot_token, index) => ({
        ...bots,
        id: 10 + index,
        isDefault: false,
        direction: 'incoming' as const,
        sealed: { bot_token },
      })),
    ]
    const nameOf = botNames({
      config: {
        list: async (_tenant, kind, read) => (kind === 'CHANNEL' ? channels.map((one) => read(objectRow(one))) : []),
      },
      clock: frozenClock(),
      openChannel: async (_tenant, { sealed }) => ({ config: sealed }) as never,
      callBot: async ({ bot_token }) => ({
        status: 200,
        isOk: true,
        description: '',
        result: { username: `bot_${bot_token[0]}` },
      }),
    })
    expect(await nameOf(tenant)).toBe(name)
  },
)
