import type { TenantRef } from '../../kernel/tenancy.ts'
import { mask } from '../../platform/secrets/mask.ts'
import type { ConfigRow } from '../../platform/store/config.ts'
import { inboundTokenKey } from '../../platform/store/keys/incoming.ts'
import { idText, type Key } from '../../platform/store/keys/key.ts'
import type { Item } from '../../platform/store/marshal.ts'
import { type Hmac, type SourceAnswer } from './schema.ts'

export const sourceSequence = 'sys_inbound_sources'

type WithoutSecret<T> = T extends unknown ? Omit<T, 'secret'> : never

/** Another system that sends messages in, as it is stored. */
export interface InboundSource {
  readonly id: number
  readonly name: string
  readonly isEnabled: boolean
  /** How its requests are signed; null when they are not. */
  readonly hmac: (WithoutSecret<Hmac> & { readonly sealed: string }) | null
  readonly tokenHash: string
  readonly version: number
}

export const sourceOf = ({ doc, version }: ConfigRow): InboundSource => ({
  ...(doc as Omit<InboundSource, 'version'>),
  version,
})
export const sourceRow = ({ version, ...doc }: InboundSource): ConfigRow => ({
  name: sourceRowName(doc.id),
  version,
  doc,
})
/** Rows are named by id, so that a rename changes no key. */
export const sourceRowName = idText

/** A source in an answer. */
export function describeSource({ id, name, isEnabled, hmac, version }: InboundSource): SourceAnswer {
  const { sealed: _sealed, ...scheme } = hmac ?? { sealed: '' }
  return { id, name, is_enabled: isEnabled, hmac: hmac && { ...scheme, secret: mask }, version }
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
