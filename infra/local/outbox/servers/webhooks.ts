/** The webhooks of the embedded Bot API: where bots want to be told what somebody writes to them. */
export interface Webhook {
  readonly url: string
  readonly secret: string
  readonly allowed_updates?: unknown
  readonly max_connections: number
}

/** By the id of the bot. */
export type Webhooks = Map<number, Webhook>

/** What came of an update. */
export type Told =
  | { readonly bot: number; readonly update_id: number; readonly status: number }
  | { readonly problem: string }

export interface Written {
  /** The id of the bot; the only one with a webhook when left out. */
  readonly bot?: number | undefined
  readonly chat: number
  readonly text: string
  /** An update without its id, in place of a text. */
  readonly update?: object | undefined
}

/**
 * Tells a bot what somebody writes to it, as the Bot API does, but once. Answers the status of its webhook, 0 when it was
 * not reached. The ids of updates start with the time, so that they rise over a restart.
 */
export function teller(webhooks: Webhooks, now: () => number) {
  let updates = 0
  let messages = 0
  return async ({ bot: wanted, chat: id, text, update }: Written): Promise<Told> => {
    const bot = wanted ?? (webhooks.size === 1 ? [...webhooks.keys()][0] : undefined)
    const webhook = bot === undefined ? undefined : webhooks.get(bot)
    if (bot === undefined || !webhook) return { problem: whyNobody(wanted, [...webhooks.keys()]) }
    updates = Math.max(updates + 1, now())
    const person = { id: Math.abs(id), is_bot: false, first_name: `Chat ${id}` }
    const chat =
      id < 0 ? { id, type: 'group', title: `Chat ${id}` } : { id, type: 'private', first_name: person.first_name }
    const message = { message_id: ++messages, date: Math.floor(now() / 1000), from: person, chat, text }
    const status = await post(webhook, { update_id: updates, ...(update ?? { message }) })
    return { bot, update_id: updates, status }
  }
}

function whyNobody(wanted: number | undefined, known: readonly number[]): string {
  if (known.length === 0) return 'No bot has a webhook. Register one: POST /api/settings/messenger/set-webhook.'
  const choice = known.join(', ')
  return wanted === undefined ? `Say which bot: ${choice}.` : `The bot ${wanted} has no webhook; these have: ${choice}.`
}

async function post({ url, secret }: Webhook, update: object): Promise<number> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
      body: JSON.stringify(update),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
