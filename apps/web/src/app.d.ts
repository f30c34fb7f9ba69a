import type { User } from '@cambist/contract/accounts';
import type { ServerCall } from '#lib/server/relay.ts';
import type { SiteSettings, SiteWide } from '#lib/server/site-settings.ts';
import type { Theme } from '#lib/browser/theme.ts';

declare global {
  namespace App {
    interface Error {
      /** The refusal's code, for pages that explain a particular one. */
      code?: string;
      request_id?: string;
    }

    interface Locals {
      requestId: string;
      theme: Theme;
      /** Who is signed in, as the API says; null for a guest. */
      user: User | null;
      /** True when the API could not be asked who this is. */
      userUnknown: boolean;
      /** Calls the API for this visitor: cookies, origin and address relayed. */
      call: ServerCall;
      wide: SiteWide;
    }

    interface PageData {
      user: User | null;
      theme: Theme;
      /** This site's public origin, for canonical addresses. */
      origin: string;
      site: SiteSettings;
    }
  }
}
