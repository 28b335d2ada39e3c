import type { ConfirmChannel, Options } from 'amqplib'

export interface AmqpMessage {
  readonly exchange: string
  readonly routingKey: string
  readonly content: Buffer
  readonly properties: Options.Publish & { readonly messageId: string }
}

/** What the broker did with a message. */
export type Confirmation =
  | { readonly kind: 'confirmed' }
  /** No queue takes it. The broker confirms it all the same, after it returned it. */
  | { readonly kind: 'returned'; readonly code: number }
  | { readonly kind: 'rejected' }
  /** The channel ended before the confirm: with a code when the broker refused what was asked of it. */
  | { readonly kind: 'closed'; readonly code?: number }

/** Publishes a message as mandatory, and waits until the broker confirms, returns or rejects it. */
export function publishConfirmed(channel: ConfirmChannel, message: AmqpMessage): Promise<Confirmation> {
  const { exchange, routingKey, content, properties } = message
  return new Promise((resolve) => {
    let known: Confirmation | undefined
    const onReturn: Parameters<typeof channel.on>[1] = (returned) => {
      if (returned.properties.messageId !== properties.messageId) return
      known = { kind: 'returned', code: returned.fields.replyCode }
    }
    const onError = (error: Error & { code?: number }): void => {
      known = { kind: 'closed', code: error.code }
    }
    channel.on('return', onReturn).on('error', onError)
    channel.publish(exchange, routingKey, content, { ...properties, mandatory: true }, (error: Error | null) => {
      channel.off('return', onReturn).off('error', onError)
      if (!error) resolve(known ?? { kind: 'confirmed' })
      else if (error.message === 'message nacked') resolve({ kind: 'rejected' })
      else resolve(known?.kind === 'closed' ? known : { kind: 'closed' })
    })
  })
}
