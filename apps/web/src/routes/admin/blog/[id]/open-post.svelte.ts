/**
 * A post that is open in its editor. It saves itself two seconds after the last key; what could not
 * be saved stays in the browser and is tried again. Somebody else's text is never overwritten
 * unasked, and what is not chosen then becomes a revision.
 */
import type { PostContent } from '@cambist/contract/blog';
import type { ReplyOf } from '@cambist/contract/endpoint';
import { getDraft, saveDraft, type PostDraft } from '@cambist/contract/blog-writing';
import { revivedLines, type Side } from '#lib/admin/comparison.ts';
import { begunWith } from '#lib/admin/sent-form.ts';
import { ApiError, call, type Failure } from '#lib/api.ts';
import { isUnsure } from '#lib/unsure.ts';
import { fieldLabels } from '../field-labels.ts';
import { contentOf, formFailure, formOf, typedForm, type PostForm } from '../post-form.ts';
import { forgetText, keepText, keptText, textName } from './kept-text.ts';
import { twoTexts, type TwoTexts } from './two-texts.ts';
import { Publishing } from './publishing.ts';
import { isConflict, Unheard } from './unheard.ts';

const pauseMs = 2_000;
const retryMs = 15_000;

type Saved = ReplyOf<typeof saveDraft>['data'];
export type SavePhase = 'saved' | 'waiting' | 'saving' | 'failed';

export class OpenPost {
  form: PostForm = $state() as PostForm;
  /** As the service has it. */
  post: PostDraft = $state.raw() as PostDraft;
  phase = $state<SavePhase>('saved');
  failure = $state.raw<Failure | null>(null);
  /** What somebody else has saved meanwhile, until it is decided which text goes on. */
  theirs = $state.raw<PostDraft | null>(null);
  /** Text of an earlier visit that was never saved. */
  found = $state.raw<PostContent | null>(null);
  /** The tab has what is typed: not while it has text of an earlier visit, nor where its store is full. */
  stays = $state(false);
  /** What of the body had no place when it was saved last: elements, attributes of elements. */
  removed: readonly string[] = $state.raw([]);
  /** What of this form the service has. */
  #sent = $state.raw('');
  /** What the browser keeps its text under. */
  readonly #name: string;
  readonly #unheard = new Unheard();
  readonly #publishing = new Publishing();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<boolean> | null = null;

  /** `userId`: of whoever writes; what they type is offered to nobody else. */
  constructor(post: PostDraft, userId: string) {
    this.#name = textName(post.id, userId);
    this.show(post);
  }

  get changed(): boolean {
    return JSON.stringify(contentOf(this.form)) !== this.#sent;
  }

  get id(): string {
    return this.post.id;
  }

  /** The service's text takes the place of what stands in the form. */
  show(post: PostDraft): void {
    clearTimeout(this.#timer);
    this.post = post;
    this.form = formOf(post.content);
    this.#sent = JSON.stringify(contentOf(this.form));
    this.theirs = null;
    this.removed = [];
    this.failure = null;
    this.phase = 'saved';
  }

  /** A form without script was refused, and the page came anew with what is saved by now. */
  refused(failure: Failure, values: Readonly<Record<string, string>>): void {
    const saved = this.post;
    const begun = begunWith(values);
    // What was typed was made of that version: sent as of a later one it would replace it unseen.
    if (begun !== null && begun.version !== saved.version) {
      const before = revivedLines(formOf(saved.content), begun.draft);
      this.post = { ...saved, version: begun.version, content: contentOf(before) };
      this.#sent = JSON.stringify(this.post.content);
    }
    this.form = typedForm(this.form, values);
    this.failure = formFailure(failure);
    if (failure.code !== 'version_conflict') return;
    this.theirs = saved;
    this.phase = 'failed';
  }

  /** The post is another one now, its text the same: published, taken off the site. */
  moved(post: PostDraft): void {
    this.post = post;
    this.failure = null;
  }

  /** Looks for text of an earlier visit; only in the browser. */
  look(): void {
    const kept = keptText(this.#name);
    if (kept === null) return;
    if (JSON.stringify(contentOf(formOf(kept))) === this.#sent) forgetText(this.#name);
    else this.found = kept;
  }

  /** What was typed since goes to the service first, which keeps it; unsaved, nothing is put over it. */
  async putBack(): Promise<void> {
    if (this.changed && !(await this.flush(true))) return;
    if (this.found !== null) this.form = formOf(this.found);
    this.found = null;
  }

  throwAway(): void {
    this.found = null;
    forgetText(this.#name);
    // What was typed beside it could not be kept in its place.
    this.typed();
  }

  /** After every change of the form. */
  typed(): void {
    if (!this.changed) {
      this.#settle();
      return;
    }
    this.stays = this.found === null && keepText(this.#name, contentOf(this.form));
    if (this.theirs !== null) return;
    if (this.phase === 'saved') this.phase = 'waiting';
    this.#in(pauseMs);
  }

  /** Saves all there is; `keep` makes a revision of it. Answers whether it is saved. */
  async flush(keep = false): Promise<boolean> {
    clearTimeout(this.#timer);
    if (this.#running !== null) await this.#running;
    if (keep && !(await this.#save(true))) return false;
    while (this.changed) if (!(await this.#save(false))) return false;
    return true;
  }

  /** Saves all there is, and asks whether an address that another post had is free by now. @throws {ApiError} */
  async settle(): Promise<boolean> {
    const isSaved = await this.flush();
    if (!isSaved || this.post.slug_fault !== 'taken') return isSaved;
    const saved = await this.#fetch();
    // What was typed meanwhile may be what the answer says, or be later than it.
    return (await this.flush()) && !this.#isOther(saved);
  }

  /** Nothing more is to be saved: the post is gone. */
  end(): void {
    this.leave();
    forgetText(this.#name);
  }

  /** Left with text that is not saved: it stays in the browser, and nobody is asked again. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#sent = JSON.stringify(contentOf(this.form));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Both texts, field by field, while it is to be decided what goes on. */
  get twoTexts(): TwoTexts | null {
    if (this.theirs === null) return null;
    return twoTexts(fieldLabels(this.post.scripts_run), {
      sent: JSON.parse(this.#sent) as PostContent,
      kept: this.post.content,
      mine: contentOf($state.snapshot(this.form)),
      theirs: this.theirs.content,
    });
  }

  /** One text is made of both and saved; a text of which something goes on nowhere becomes a revision. @throws {ApiError} */
  async choose(sides: Readonly<Record<string, Side>>): Promise<void> {
    const { theirs, twoTexts: texts } = this;
    if (theirs === null || texts === null) return;
    try {
      let post: PostDraft = theirs;
      if (texts.loses('theirs', sides)) post = await this.#put(post.version, theirs.content);
      if (texts.loses('mine', sides)) post = await this.#put(post.version, texts.mine);
      this.show(await this.#put(post.version, texts.chosen(sides)));
      if (this.found === null) forgetText(this.#name);
    } catch (error) {
      // They have gone on writing: what is to be compared is another text now.
      if (isConflict(error)) this.theirs = await this.#fetch();
      throw error;
    }
  }

  /**
   * Does something with what is saved. Answers false, and has not done it, where the form could
   * not be saved, or somebody has saved another text, which is compared first. `at`: when it is to be public.
   * @throws {ApiError} also `version_conflict`, where somebody published it, or for another time
   */
  async withSaved(
    work: (version: number) => Promise<PostDraft>,
    at: string | null = null,
  ): Promise<boolean> {
    if (!(await this.flush())) return false;
    return this.#publishing.go(this, work, {
      read: () => this.#fetch(),
      isOther: (saved) => this.#isOther(saved),
      at,
    });
  }

  /** The form says again what the service has: a refusal of what it said between is over. */
  #settle(): void {
    if (this.theirs !== null || this.phase === 'saved' || this.phase === 'saving') return;
    clearTimeout(this.#timer);
    this.phase = 'saved';
    this.failure = null;
    if (this.found === null) forgetText(this.#name);
  }

  #in(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(false), ms);
  }

  #save(keep: boolean): Promise<boolean> {
    this.#running ??= this.#attempt(keep).finally(() => (this.#running = null));
    return this.#running;
  }

  async #attempt(keep: boolean): Promise<boolean> {
    if (this.theirs !== null) return false;
    clearTimeout(this.#timer);
    const content = contentOf($state.snapshot(this.form));
    this.phase = 'saving';
    try {
      const { removed, ...post } = await this.#unheard.orFind(this.post.version, content, {
        send: () => this.#put(this.post.version, content, keep),
        read: async () => ({ ...(await this.#fetch()), removed: [] }),
      });
      this.#took(post, content);
      this.removed = removed;
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return isConflict(error) ? this.#overtaken(keep) : this.#failed(error.failure);
    }
  }

  #took(post: PostDraft, content: PostContent): void {
    this.post = post;
    this.#sent = JSON.stringify(content);
    this.#unheard.forget();
    this.failure = null;
    this.phase = this.changed ? 'waiting' : 'saved';
    if (this.changed) this.#in(pauseMs);
    else if (this.found === null) forgetText(this.#name);
  }

  #failed(failure: Failure): false {
    this.failure = formFailure(failure);
    this.phase = 'failed';
    if (isUnsure(failure) || failure.status === 429) this.#in(retryMs);
    return false;
  }

  /** Someone saved before: a question where the text is another, else nothing to ask. */
  async #overtaken(keep: boolean): Promise<boolean> {
    try {
      const mine = await this.#unheard.find((text) => this.#put(this.post.version, text, false));
      if (mine !== null) this.#took(mine.post, mine.text);
      return this.#isOther(await this.#fetch()) ? false : await this.#attempt(keep);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return this.#failed(error.failure);
    }
  }

  /** Whether what is saved by now is a text that is not known here; an answer from before is not. */
  #isOther(saved: PostDraft): boolean {
    if (saved.version < this.post.version) return false;
    const isOther = JSON.stringify(saved.content) !== JSON.stringify(this.post.content);
    if (isOther) [this.theirs, this.phase] = [saved, 'failed'];
    else this.post = saved;
    return isOther;
  }

  async #put(version: number, content: PostContent, keep = true): Promise<Saved> {
    const { data } = await call(saveDraft, {
      params: { id: this.id },
      body: { version, content, keep },
    });
    return data;
  }

  async #fetch(): Promise<PostDraft> {
    return (await call(getDraft, { params: { id: this.id } })).data;
  }
}
