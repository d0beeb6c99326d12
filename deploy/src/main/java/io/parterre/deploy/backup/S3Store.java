package io.parterre.deploy.backup;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in a bucket of a service with the S3 protocol. Credentials come from the environment, as
 * for the AWS command line.
 */
final class S3Store implements ObjectStore {
    private static final int NOT_FOUND = 404;
    private static final int RANGE_NOT_SATISFIABLE = 416;

    private final S3Client client;
    private final String bucket;
    private final String prefix;

    S3Store(S3Place place) {
        S3ClientBuilder builder =
                S3Client.builder()
                        .httpClient(
                                UrlConnectionHttpClient.builder()
                                        .connectionTimeout(Duration.ofSeconds(10))
                                        .socketTimeout(Duration.ofSeconds(60))
                                        .build())
                        .region(Region.of(place.region()))
                        .forcePathStyle(place.endpoint().isPresent())
                        // Objects contain checksums of ours, and services other than Amazon's
                        // support few.
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        place.endpoint().ifPresent(builder::endpointOverride);
        this.client = builder.build();
        this.bucket = place.bucket();
        this.prefix = place.prefix();
    }

    private <T> T call(String what, Supplier<T> call) throws IOException {
        try {
            return call.get();
        } catch (SdkException failure) {
            throw new IOException(
                    "s3://" + bucket + "/" + what + ": " + failure.getMessage(), failure);
        }
    }

    @Override
    public void put(String name, byte[] bytes) throws IOException {
        call(
                name,
                () ->
                        client.putObject(
                                request -> request.bucket(bucket).key(prefix + name),
                                RequestBody.fromBytes(bytes)));
    }

    @Override
    public Optional<byte[]> get(String name) throws IOException {
        return call(
                name,
                () -> {
                    try {
                        return Optional.of(
                                client.getObjectAsBytes(
                                                request ->
                                                        request.bucket(bucket).key(prefix + name))
                                        .asByteArray());
                    } catch (NoSuchKeyException none) {
                        return Optional.empty();
                    }
                });
    }

    @Override
    public Optional<byte[]> getPart(String name, long offset, int length) throws IOException {
        String range = "bytes=" + offset + "-" + (offset + length - 1);
        return call(
                name,
                () -> {
                    try {
                        byte[] part =
                                client.getObjectAsBytes(
                                                request ->
                                                        request.bucket(bucket)
                                                                .key(prefix + name)
                                                                .range(range))
                                        .asByteArray();
                        return part.length == length ? Optional.of(part) : Optional.empty();
                    } catch (S3Exception failure) {
                        if (failure.statusCode() == NOT_FOUND
                                || failure.statusCode() == RANGE_NOT_SATISFIABLE) {
                            return Optional.empty();
                        }
                        throw failure;
                    }
                });
    }

    @Override
    public boolean has(String name) throws IOException {
        return call(
                name,
                () -> {
                    try {
                        client.headObject(request -> request.bucket(bucket).key(prefix + name));
                        return true;
                    } catch (S3Exception failure) {
                        if (failure.statusCode() == NOT_FOUND) {
                            return false;
                        }
                        throw failure;
                    }
                });
    }

    @Override
    public List<String> list(String start) throws IOException {
        return call(
                start,
                () ->
                        client
                                .listObjectsV2Paginator(
                                        request -> request.bucket(bucket).prefix(prefix + start))
                                .contents()
                                .stream()
                                .map(S3Object::key)
                                .map(key -> key.substring(prefix.length()))
                                .sorted()
                                .toList());
    }

    @Override
    public void delete(String name) throws IOException {
        call(name, () -> client.deleteObject(request -> request.bucket(bucket).key(prefix + name)));
    }

    @Override
    public void close() {
        client.close();
    }
}
