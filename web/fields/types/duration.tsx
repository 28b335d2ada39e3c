import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { EditProps, FieldModule, ValueProps } from '../field-module.ts'
import { inputProps } from '../input-props.ts'
import { number } from './number.tsx'

const steps = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** Seconds as `1d 2h 30m`. */
export function writeDuration(seconds: number): string {
  let left = Math.abs(seconds)
  const parts = steps.flatMap(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? [`${count}${unit}`] : []
  })
  return (seconds < 0 ? '-' : '') + (parts.join(' ') || '0m')
}

/** `1d 2h 30m` or `90` (minutes) as seconds; what is neither as it is, for the service to refuse. */
export function readDuration(text: string): unknown {
  const plain = text.trim().toLowerCase()
  if (plain === '') return null
  if (/^\d+$/.test(plain)) return Number(plain) * 60
  if (!/^(\d+\s*[dhms]\s*)+$/.test(plain)) return text.trim()
  return [...plain.matchAll(/(\d+)\s*([dhms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (steps.find(([name]) => name === unit)?.[1] ?? 0),
    0,
  )
}

const write = (value: unknown): string => (typeof value === 'number' ? writeDuration(value) : String(value ?? ''))

function Edit(props: EditProps) {
  const { value, onChange } = props
  const [typed, setTyped] = useState<string>()
  return (
    <TextInput
      {...inputProps(props)}
      placeholder="1h 30m"
      value={typed !== undefined && readDuration(typed) === (value ?? null) ? typed : write(value)}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onChange(readDuration(event.currentTarget.value))
      }}
    />
  )
}

export const duration: FieldModule = {
  ...number,
  Show: ({ value }: ValueProps) => <span className="number">{write(value)}</span>,
  Edit,
}
