import { createHmac } from 'node:crypto'

/**
 * The value of `webhook-signature` (Standard Webhooks): one HMAC-SHA256 for each secret (`whsec_` and base64), over id,
 * timestamp (Unix seconds) and body.
 */
export const signWebhook = (secrets: readonly string[], id: string, timestamp: number, body: string): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
