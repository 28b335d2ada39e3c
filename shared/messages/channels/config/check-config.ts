import type * as z from 'zod'
import { byName } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { nearestWord } from '../../../kernel/text/did-you-mean.ts'
import { type ChannelConfig, type ChannelType, channelTypeOf } from '../channel-types.ts'

/**
 * Parses the configuration of a channel. Throws Invalid that names each wrong member under `config`, and for an unknown
 * one the nearest right word.
 */
export function checkConfig(type: ChannelType, given: unknown): ChannelConfig {
  const schema = channelTypeOf(type).config
  const parsed = schema.safeParse(given, { reportInput: true })
  if (parsed.success) {
    const wrong = channelTypeOf(type).check?.(parsed.data as never)
    if (wrong) throw new Invalid(wrong)
    return parsed.data as ChannelConfig
  }
  const errors: FieldErrors = byName()
  for (const issue of parsed.error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        errors[pathOf([...issue.path, key])] = [unknownMember(type, schema, issue.path, key)]
    } else {
      errors[pathOf(issue.path)] = [messageOf(type, issue)]
    }
  }
  throw new Invalid(errors)
}

const pathOf = (path: readonly PropertyKey[]): string => ['config', ...path.map(String)].join('.')

function unknownMember(type: ChannelType, schema: z.ZodObject, path: readonly PropertyKey[], key: string): string {
  const known = path.length === 0 ? Object.keys(schema.shape) : []
  if (known.length === 0) return `The ${key} field is unknown.`
  const meant = nearestWord(key, known)
  const wrong = `A channel of type ${type} has no ${key}.`
  return meant === undefined ? `${wrong} It has ${known.join(', ')}.` : `${wrong} Did you mean ${meant}?`
}

function messageOf(type: ChannelType, issue: z.core.$ZodIssue): string {
  const name = pathOf(issue.path)
  if (issue.input === undefined) return `The ${name} field is required for a channel of type ${type}.`
  if (issue.code === 'invalid_value') return `The ${name} must be one of ${issue.values.map(String).join(', ')}.`
  if (issue.code === 'invalid_union' && 'discriminator' in issue)
    return `The ${name} must be one of none, basic, bearer, header.`
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? `The ${name} is invalid.`
  return issue.code === 'custom' || issue.code === 'invalid_format' ? issue.message : `The ${name} is invalid.`
}
