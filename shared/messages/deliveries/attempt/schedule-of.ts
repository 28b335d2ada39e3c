import type { Channel } from '../../channels/channel.ts'
import { defaultSchedule } from '../state/schedule.ts'

/** The seconds before each attempt through a channel. */
export const scheduleOf = ({ config }: Pick<Channel, 'config'>): readonly number[] =>
  (config.retry_schedule as readonly number[] | undefined) ?? defaultSchedule
