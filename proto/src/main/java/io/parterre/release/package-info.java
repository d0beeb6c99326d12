/**
 * What releases may differ in and how they meet: feature levels, what each brings, and the refusal
 * of what a newer release wrote. Pure: no I/O. Start with {@link io.parterre.release.Feature}.
 */
package io.parterre.release;
