import type { ChannelNotice } from './channel-gate.ts'

/** A notice to administrators in words. */
export function describeNotice({ kind, channel, reason }: ChannelNotice): {
  readonly title: string
  readonly text: string
} {
  const { name } = channel
  switch (kind) {
    case 'paused':
      return {
        title: `The channel ${name} is paused`,
        text: `Its receiver keeps failing: ${reason} Deliveries wait, and continue by themselves once it works again.`,
      }
    case 'resumed':
      return { title: `The channel ${name} works again`, text: 'Waiting deliveries continue.' }
    case 'disabled':
      return {
        title: `The channel ${name} was disabled`,
        text: `${reason} Enable it when its receiver works again, then retry its failed deliveries.`,
      }
  }
}
