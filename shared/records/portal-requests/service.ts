export { requestFollowers } from './followers.ts'
export {
  exportedRequest,
  newRequestWrites,
  type PortalRequest,
  portalRequestSequence,
  readRequest,
  saveRequest,
} from './request-row.ts'
