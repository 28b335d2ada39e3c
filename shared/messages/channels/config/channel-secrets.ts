import { lruMap } from '../../../kernel/collections/lru-map.ts'
import { byName } from '../../../kernel/collections/own-members.ts'
import { Invalid } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { mask } from '../../../platform/secrets/mask.ts'
import type { SecretBox } from '../../../platform/secrets/secret-box.ts'
import { type ChannelConfig, type ChannelType, channelTypeOf } from '../channel-types.ts'
import { type Channel, maskedConfig, type OpenedChannel } from '../channel.ts'
import type { LackingSecrets } from '../dependencies.ts'
import { secretName } from '../secret-name.ts'
import { memberAt, withMember } from './config-values.ts'

/** For how long a replaced signing secret still signs, so that receivers have time to change theirs. */
const rotationMs = 24 * 60 * 60 * 1000

type Sealed = Pick<Channel, 'config' | 'sealed' | 'previousSecret'>

/**
 * Takes the secrets out of a configuration and seals them. A mask keeps the secret of `before`. A replaced signing
 * secret is kept for 24 hours. Throws Invalid for a mask without a secret to keep.
 */
export async function sealSecrets(
  box: Pick<SecretBox, 'seal'>,
  tenant: TenantRef,
  { id, type }: Pick<Channel, 'id' | 'type'>,
  config: ChannelConfig,
  before: Sealed | undefined,
  nowMs: number,
  lacking: LackingSecrets = 'refused',
): Promise<Sealed> {
  let plain: Channel['config'] = config
  const sealed: Record<string, string> = byName()
  for (const path of channelTypeOf(type).secrets) {
    const given = memberAt(config, path)
    if (given === undefined) continue
    plain = withMember(plain, path, undefined)
    if (given !== mask) sealed[path] = await box.seal(tenant, secretName(id, path), String(given))
    else if (before?.sealed[path] !== undefined) sealed[path] = before.sealed[path]
    else if (lacking === 'refused')
      throw new Invalid({ [`config.${path}`]: [`There is no config.${path} to keep: send the secret itself.`] })
  }
  const replaced = before?.sealed.secret
  const previousSecret =
    replaced !== undefined && sealed.secret !== undefined && replaced !== sealed.secret
      ? { sealed: replaced, untilMs: nowMs + rotationMs }
      : before?.previousSecret
  return { config: plain, sealed, ...(sealed.secret !== undefined && previousSecret && { previousSecret }) }
}

/** Opens the secrets of channels; each is opened once per instance of a function. */
export function channelOpener(box: Pick<SecretBox, 'open'>, clock: { now(): number }) {
  const maxOpened = 1000
  const opened = lruMap<string, Promise<string>>(maxOpened)

  function open(tenant: TenantRef, name: string, sealed: string): Promise<string> {
    const known = opened.get(sealed)
    if (known) return known
    const opening = box.open(tenant, name, sealed)
    opened.set(sealed, opening)
    opening.catch(() => opened.delete(sealed))
    return opening
  }

  /** The channel with its secrets. Throws BrokenSeal. */
  return async <Type extends ChannelType>(tenant: TenantRef, channel: Channel): Promise<OpenedChannel<Type>> => {
    const { id, name, sealed, previousSecret } = channel
    let config = channel.config
    for (const [path, text] of Object.entries(sealed))
      config = withMember(config, path, await open(tenant, secretName(id, path), text))
    const signingSecrets = [
      ...(sealed.secret === undefined ? [] : [String(memberAt(config, 'secret'))]),
      ...(previousSecret && previousSecret.untilMs > clock.now()
        ? [await open(tenant, secretName(id, 'secret'), previousSecret.sealed)]
        : []),
    ]
    return { id, name, config: config as ChannelConfig<Type>, signingSecrets }
  }
}

type Config = Readonly<Record<string, unknown>>

/** The secrets that a configuration lacks and its type requires. */
function lackingIn(type: ChannelType, config: Config): string[] {
  const issues = channelTypeOf(type).config.safeParse(config).error?.issues ?? []
  const wrong = new Set(issues.map(({ path }) => path.join('.')))
  return channelTypeOf(type).secrets.filter((path) => wrong.has(path) && memberAt(config, path) === undefined)
}

/** The secrets that a channel lacks: one that came from a configuration document has none yet. */
export const lackingSecrets = (channel: Channel): readonly string[] => lackingIn(channel.type, maskedConfig(channel))

/**
 * A configuration without secrets, from a document, with a mask for each that its type requires or that `before` has, so
 * that it can be checked and keeps them.
 */
export function withMasks(type: ChannelType, config: Config, before: Channel | undefined): Config {
  const kept = Object.keys(before?.sealed ?? {}).filter((path) => !path.includes('.'))
  return [...lackingIn(type, config), ...kept].reduce(
    (masked, path) => (memberAt(masked, path) === undefined ? withMember(masked, path, mask) : masked),
    config,
  )
}
