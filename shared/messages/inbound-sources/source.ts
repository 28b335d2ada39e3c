import type { TenantRef } from '../../kernel/tenancy.ts'
import type { RowTimes } from '../../platform/store/config.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { inboundTokenKey } from '../../platform/store/keys/messages/incoming.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { Hmac } from './schema.ts'

type WithoutSecret<T> = T extends unknown ? Omit<T, 'secret'> : never

/** Another system that sends messages in, as it is stored. */
export interface InboundSource extends RowTimes {
  readonly id: number
  readonly name: string
  readonly isEnabled: boolean
  /** How its requests are signed; null when they are not. */
  readonly hmac: (WithoutSecret<Hmac> & { readonly sealed: string }) | null
  readonly tokenHash: string
  readonly version: number
}

/** The name under which the secret of a source is sealed. */
export const secretName = (id: number): string => `inbound.${id}.secret`

/** The row that finds a source by its token. */
export const tokenItem = (
  tenant: TenantRef,
  { id, tokenHash }: Pick<InboundSource, 'id' | 'tokenHash'>,
): Item & Key => ({
  ...inboundTokenKey(tokenHash),
  kind: 'inbound_token',
  v: 1,
  tenant_id: tenant.id,
  source_id: id,
})

/** Reads the row that `tokenItem` wrote. */
export const readToken = (item: Item): { readonly tenant: TenantRef; readonly sourceId: number } => ({
  tenant: { id: Number(item.tenant_id) },
  sourceId: Number(item.source_id),
})
