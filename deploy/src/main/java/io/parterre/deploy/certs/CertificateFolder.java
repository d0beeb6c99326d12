package io.parterre.deploy.certs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.parterre.tls.CredentialFiles;
import io.parterre.tls.Credentials;
import io.parterre.tls.PeerName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A folder with an issuer, {@code ca.crt} and {@code ca.key}, and the certificates that it has
 * issued, {@code NAME.crt} and {@code NAME.key}. No file in it is ever overwritten; only their
 * owner can read keys.
 */
public final class CertificateFolder {
    private static final String ISSUER = "ca";

    private final Path folder;
    private final InstantSource clock;

    public CertificateFolder(Path folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /** Returns the file with the issuer's certificates, which members of the cluster trust. */
    public Path trusted() {
        return certificate(ISSUER);
    }

    /** Returns whether there is an issuer. */
    public boolean hasIssuer() {
        return Files.exists(trusted());
    }

    /** Returns the files of the certificate issued under this name. */
    public CredentialFiles files(String name) {
        return new CredentialFiles(certificate(name), key(name), Optional.of(trusted()));
    }

    private Path certificate(String name) {
        return folder.resolve(name + ".crt");
    }

    private Path key(String name) {
        return folder.resolve(name + ".key");
    }

    /**
     * Creates the issuer.
     *
     * @param name name in its certificate
     * @throws CertificateFolderException if there is an issuer already, or it cannot be written
     */
    public void makeIssuer(String name, Duration validity) {
        write(ISSUER, () -> new CertificateMaker(clock.instant()).issuer(name, validity));
    }

    /**
     * Issues a certificate.
     *
     * @param name name of its files
     * @param roles roles that the holder may have
     * @param hosts names and addresses at which the holder is reached; if empty, only the role is
     *     verified
     * @throws CertificateFolderException if the name is taken, there is no issuer, or the
     *     certificate cannot be written
     */
    public void issue(String name, List<PeerName> roles, List<String> hosts, Duration validity) {
        write(
                name,
                () ->
                        new CertificateMaker(clock.instant())
                                .issue(issuer(), name, roles, hosts, validity));
    }

    private CertificateMaker.Issued issuer() throws IOException {
        Credentials read = Credentials.read(files(ISSUER));
        return new CertificateMaker.Issued(read.chain().get(0), read.key());
    }

    @FunctionalInterface
    private interface Making {
        CertificateMaker.Issued run() throws GeneralSecurityException, IOException;
    }

    private void write(String name, Making making) {
        try {
            Files.createDirectories(folder);
            requireNone(certificate(name));
            requireNone(key(name));
            CertificateMaker.Issued issued = making.run();
            writeNew(key(name), Pem.of(issued.key()), true);
            writeNew(certificate(name), Pem.of(List.of(issued.certificate())), false);
        } catch (IOException e) {
            throw new CertificateFolderException(e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new CertificateFolderException("no certificate made: " + e.getMessage(), e);
        }
    }

    private static void requireNone(Path file) throws IOException {
        if (Files.exists(file)) {
            throw new IOException(file + ": is there already (expected: a new name or folder)");
        }
    }

    private static void writeNew(Path file, String text, boolean secret) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes =
                posix
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString(
                                            secret ? "rw-------" : "rw-r--r--"))
                        }
                        : new FileAttribute<?>[0];
        try (SeekableByteChannel out =
                Files.newByteChannel(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        attributes)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(US_ASCII));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + ": is there already (expected: a new name or folder)", e);
        }
    }
}
