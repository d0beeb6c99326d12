/**
 * The official Java SDK against a running server: what an application sees of the service, nothing
 * below it. Each test makes the tables it needs. Start with {@link Sdk}.
 */
package io.parterre.client;
