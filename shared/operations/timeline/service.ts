export { readTimeline, type TimelineDependencies } from './read-timeline.ts'
