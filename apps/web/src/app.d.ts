import type { IncomingMessage } from 'node:http';
import type { User } from '@cambist/contract/accounts';
import type { SettingValue } from '@cambist/contract/settings';
import type { ReadyPages } from '#lib/server/ready-pages.ts';
import type { ServerCall } from '#lib/server/relay.ts';
import type { SiteSettings, SiteWide } from '#lib/server/site-settings.ts';
import type { Theme } from '#lib/browser/theme.ts';

declare global {
  /** For the server's entry, which is not part of the build. */
  var readyPages: ReadyPages | undefined;
  /** The folder of the built client, from the server's entry. */
  var clientFiles: URL | undefined;
  namespace App {
    interface Error {
      /** The code of the refusal, for pages that explain it. */
      code?: string;
      request_id?: string;
    }

    interface Locals {
      requestId: string;
      theme: Theme;
      /** Null for a guest. */
      user: User | null;
      /** True when the API could not say who this is. */
      userUnknown: boolean;
      /** Calls the API as this visitor. */
      call: ServerCall;
      wide: SiteWide;
      /** Of the style sheets in the document, for the policy. */
      styleHashes: readonly string[];
    }

    interface Platform {
      req: IncomingMessage;
    }

    interface PageData {
      user: User | null;
      theme: Theme;
      /** This site's public origin, for canonical addresses. */
      origin: string;
      site: SiteSettings;
      /** The desk's saved reasons, in the list of exchanges. */
      reasons?: SettingValue<'saved-reasons'>['reasons'];
    }
  }
}
