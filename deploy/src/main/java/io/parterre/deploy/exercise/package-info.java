/**
 * {@code parterre exercise}: a client that loads a table service, retries as the SDKs do, and
 * verifies every write that the service acknowledged. It uses the protocol with any endpoint and
 * knows nothing of the cluster behind it. {@link io.parterre.deploy.exercise.Retries} and {@link
 * io.parterre.deploy.exercise.Ledger} decide and do no I/O. Start with {@link
 * io.parterre.deploy.exercise.Exercise}.
 */
package io.parterre.deploy.exercise;
