export { ClaimLinks } from './claim-links';
export { ClaimLinksModule } from './claim-links.module';
